// A starter kit: a bot for Awélé that takes the most seeds it can, one move ahead.
//
// It reads one line in each of its turns: START if no move has been made, else the moves since its last turn. It
// answers with its own move: A to F for player 1, a to f for player 2. At the end it reads RESULT and the scores.

#include <array>
#include <cctype>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>

struct Board {
    std::array<int, 12> pits;  // 0 to 5 belong to player 1, 6 to 11 to player 2, in sowing order
    std::array<int, 2> taken{};
    int player = 0;  // who is to move

    Board() { pits.fill(4); }

    bool is_legal(int pit) const {
        const int seeds = pits[6 * player + pit];
        int others = 0;
        for (int place = 0; place < 6; ++place) others += pits[6 * (1 - player) + place];
        return others == 0 ? seeds >= 6 - pit : seeds > 0;  // a hungry opponent must be fed
    }

    void play(int pit) {
        const int origin = 6 * player + pit;
        int place = origin;
        for (int seeds = std::exchange(pits[origin], 0); seeds > 0; --seeds) {
            place = (place + 1) % 12;
            if (place == origin) place = (place + 1) % 12;
            ++pits[place];
        }
        capture(place);
        player = 1 - player;
    }

    // Twos and threes on the other side, backwards from the last seed; not if that would take all it has.
    void capture(int place) {
        const int first = 6 * (1 - player);
        std::array<int, 12> left = pits;
        int captured = 0;
        for (; place >= first && place < first + 6 && (left[place] == 2 || left[place] == 3); --place) {
            captured += std::exchange(left[place], 0);
        }
        int others = 0;
        for (int other = first; other < first + 6; ++other) others += left[other];
        if (captured > 0 && others > 0) {
            pits = left;
            taken[player] += captured;
        }
    }
};

int choose(const Board& board) {
    int best = -1, most = -1;
    for (int pit = 0; pit < 6; ++pit) {
        if (!board.is_legal(pit)) continue;
        Board next = board;
        next.play(pit);
        if (next.taken[board.player] > most) {
            best = pit;
            most = next.taken[board.player];
        }
    }
    return best;
}

int main() {
    Board board;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "RESULT") return 0;
        if (word != "START") {
            do board.play(std::tolower(word[0]) - 'a');
            while (words >> word);
        }
        const int pit = choose(board);
        std::cout << static_cast<char>((board.player == 0 ? 'A' : 'a') + pit) << std::endl;  // and flush
        board.play(pit);
    }
}
