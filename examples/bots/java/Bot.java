// A starter kit: a bot for Awélé that takes the most seeds it can, one move ahead.
//
// It reads one line in each of its turns: START if no move has been made, else the moves since its last turn. It
// answers with its own move: A to F for player 1, a to f for player 2. At the end it reads RESULT and the scores.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;

public class Bot {
    private final int[] pits; // 0 to 5 belong to player 1, 6 to 11 to player 2, in sowing order
    private final int[] taken;
    private int player; // who is to move

    Bot() {
        pits = new int[12];
        Arrays.fill(pits, 4);
        taken = new int[2];
    }

    Bot(Bot other) {
        pits = other.pits.clone();
        taken = other.taken.clone();
        player = other.player;
    }

    private int seedsOf(int owner) {
        return Arrays.stream(pits, 6 * owner, 6 * owner + 6).sum();
    }

    boolean isLegal(int pit) {
        int seeds = pits[6 * player + pit];
        return seedsOf(1 - player) == 0 ? seeds >= 6 - pit : seeds > 0; // a hungry opponent must be fed
    }

    void play(int pit) {
        int origin = 6 * player + pit;
        int place = origin;
        int seeds = pits[origin];
        pits[origin] = 0;
        for (; seeds > 0; seeds--) {
            place = (place + 1) % 12;
            if (place == origin) {
                place = (place + 1) % 12;
            }
            pits[place]++;
        }
        capture(place);
        player = 1 - player;
    }

    // Twos and threes on the other side, backwards from the last seed; not if that would take all it has.
    private void capture(int last) {
        int first = 6 * (1 - player);
        int place = last;
        int captured = 0;
        while (place >= first && place < first + 6 && (pits[place] == 2 || pits[place] == 3)) {
            captured += pits[place--];
        }
        if (captured > 0 && captured < seedsOf(1 - player)) {
            Arrays.fill(pits, place + 1, last + 1, 0);
            taken[player] += captured;
        }
    }

    int choose() {
        int best = -1;
        int most = -1;
        for (int pit = 0; pit < 6; pit++) {
            if (!isLegal(pit)) {
                continue;
            }
            Bot next = new Bot(this);
            next.play(pit);
            if (next.taken[player] > most) {
                best = pit;
                most = next.taken[player];
            }
        }
        return best;
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        Bot board = new Bot();
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            if (line.startsWith("RESULT")) {
                return;
            }
            if (!line.equals("START")) {
                for (String move : line.split(" ")) {
                    board.play(Character.toLowerCase(move.charAt(0)) - 'a');
                }
            }
            int pit = board.choose();
            System.out.println((char) ((board.player == 0 ? 'A' : 'a') + pit));
            System.out.flush();
            board.play(pit);
        }
    }
}
