// The messages between page and server, and the data of reports, from the structs in requests.py, messages.py and
// report/data.py: python -m tools.protocol rewrites this file. Only the type checker reads it.

/** A position: a game, its first position if that is not the usual one, and the moves since. */
export interface Place {
  game: string;
  start: string | null;
  moves: string[];
}

/** What a room allows. */
export interface Allowed {
  undo: "asked" | "free" | "never";
  help: boolean;
  bots_resign: boolean;
}

/** A cell of a board: where to draw, where to click. */
export interface Cell {
  name: string;
  label: string;
  x: number;
  y: number;
  radius: number;
  outline: string;
  is_store: boolean;
}

/** A long board on a phone: turned by a quarter, and all that lies on it as it is. */
export interface Upright {
  width: number;
  height: number;
  board: string;
  places: [number, number][];
}

/** What all positions of a game have in common; its colours are in /board.css. */
export interface Ground {
  width: number;
  height: number;
  defs: string;
  board: string;
  cells: Cell[];
  swatches: string[];
  colours: string[];
  bottom: number;
  upright: Upright | null;
}

/** Something that moves, appears (from nowhere) or vanishes (to nowhere). */
export interface Flight {
  look: string;
  origin: number | null;
  target: number | null;
}

/** Things that move at the same time, and what lies on the cells when they set out and when they have arrived. */
export interface Step {
  lift: [number, string][];
  flights: Flight[];
  then: [number, string][];
  weight: number;
}

/** A position, and the move that led to it. */
export interface Ply {
  contents: [number, string, string][];
  scores: number[];
  counted: string[];
  to_move: number;
  status: string;
  move?: string;
  mover?: number;
  told?: string;
  steps?: Step[];
  origins?: number[];
  targets?: number[];
  seconds?: number | null;
}

/** The clicks that enter a move: cells by number, and words, which are buttons. */
export interface ClickPath {
  clicks: (number | string)[];
  move: string;
}

/** What can be done in the last position. */
export interface Now {
  paths: ClickPath[];
  labels: Record<string, string>;
  is_over: boolean;
  shares: number[] | null;
  why: string;
}

/** A player in a room. */
export interface Seat {
  name: string;
  who: "bot" | "person";
  bot: string;
  is_you: boolean;
  is_taken: boolean;
  is_here: boolean;
  left: number | null;
}

/** What a player has asked the others. */
export interface Offer {
  what: "draw" | "rematch" | "undo";
  seat: number;
}

/** A bot that thinks. */
export interface Thinking {
  seat: number;
  preparing: number | null;
  seconds: number | null;
}

/** What changes in a room beside the board. */
export interface Standing {
  seats: Seat[];
  running: number | null;
  thinking: Thinking | null;
  offer: Offer | null;
  can: string[];
  next_room: string | null;
}

/** One line of an analysis; see `palabre.search.thought.Thought`. */
export interface ThoughtFacts {
  move: string;
  line: string[];
  rank: number;
  depth: number;
  nodes: number;
  seconds: number;
  points: number | null;
  chance: number | null;
  shares: number[] | null;
  proven: number | null;
  plies_to_end: number | null;
  clicks: number[];
}

/** What a move of a game was worth. */
export interface ReviewedMove {
  ply: number;
  mover: number;
  move: string;
  best: string;
  line: string[];
  chances: number[];
  chances_after: number[];
  lost: number;
  points_lost: number | null;
  mistake: "blunder" | "inaccuracy" | "mistake" | null;
}

/** Who the browser is, and the limits. */
export interface Welcome {
  kind: "Welcome";
  role: "operator" | "player" | "watcher";
  version: string;
  seconds: number;
  name: string;
}

/** A parameter of rules or of a bot. */
export interface ParameterChoice {
  name: string;
  label: string;
  about: string;
  default: number | string;
  lowest: number | null;
  highest: number | null;
  choices: [string, string][];
  is_decimal: boolean;
}

/** A rule set. */
export interface PresetChoice {
  name: string;
  spec: string;
  label: string;
  about: string;
  parameters: ParameterChoice[];
}

/** A game on the first page. */
export interface GameEntry {
  name: string;
  title: string;
  about: string;
  spec: string;
  picture: string;
  presets: PresetChoice[];
  broken: string;
}

/** A bot that plays a game. */
export interface BotChoice {
  name: string;
  about: string;
  parameters: ParameterChoice[];
  can_analyse: boolean;
}

/** What can be chosen for one variant. */
export interface GameChoices {
  spec: string;
  players: number;
  player_names: string[];
  picture: string;
  bots: BotChoice[];
  levels: string[];
  clock: number | null;
  has_random_start: boolean;
}

/** The rules of a game, and its lessons. */
export interface RulesPage {
  title: string;
  markup: string;
  lessons: string;
}

/** The name of a new room or event. */
export interface Opened {
  name: string;
}

/** A room in a list. */
export interface RoomEntry {
  room: string;
  title: string;
  players: string[];
  status: string;
  plies: number;
  is_over: boolean;
  seconds_ago: number;
}

/** A room, whole. */
export interface RoomState {
  room: string;
  version: number;
  place: Place;
  title: string;
  rules: string;
  player_names: string[];
  ground: Ground;
  plies: Ply[];
  now: Now;
  standing: Standing;
  allowed: Allowed;
}

/** Positions outside any room. */
export interface LineShown {
  place: Place;
  title: string;
  rules: string;
  player_names: string[];
  since: number;
  ground: Ground;
  plies: Ply[];
  now: Now;
}

/** Why something cannot be played, in words. */
export interface Reason {
  text: string;
}

/** A place as texts. */
export interface Written {
  position: string;
  game: string;
}

/** A link for another person. */
export interface Invitation {
  path: string;
  address: string;
  qr: string;
}

/** A good move. */
export interface Hinted {
  thought: ThoughtFacts;
}

/** An event, or a file of records, in a list. */
export interface EventEntry {
  event: string;
  title: string;
  game: string;
  format: string;
  bots: number;
  games: number;
  is_running: boolean;
  message: string;
}

/** A way to decide who meets whom. */
export interface FormatChoice {
  name: string;
  most_players: number | null;
}

/** All events, the newest first, and what can be begun. */
export interface EventList {
  events: EventEntry[];
  formats: FormatChoice[];
  can_start: boolean;
}

/** A bot in the table of an event. */
export interface EventRow {
  rank: number | null;
  name: string;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  forfeits: number;
  score: number;
  low: number;
  high: number;
  rating: number | null;
  rating_error: number | null;
  points: number | null;
  authors: string;
  replayed: number;
}

/** A game in the list of an event. */
export interface EventGameEntry {
  number: number;
  players: string[];
  result: string;
  scores: number[];
  plies: number;
  ending: string;
}

/** A game of an event that is being played, as far as it has come. */
export interface EventGameUnderWay {
  place: Place;
  players: string[];
}

/** An event, whole. */
export interface EventState {
  event: string;
  title: string;
  game: string;
  rules: string;
  format: string;
  is_running: boolean;
  played: number;
  planned: number | null;
  seconds_left: number | null;
  table: EventRow[];
  cross: ([number, number] | null)[][];
  games: EventGameEntry[];
  fair_share: number;
  under_way: EventGameUnderWay[];
  titles: Record<string, string>;
  can: string[];
  notes: string[];
  message: string;
}

/** A game of an event or a file of records. */
export interface GameOfEvent {
  place: Place;
  players: string[];
  result: string;
  ending: string;
  seconds: (number | null)[];
}

/** What would be interrupted if the server ended now. All of it is kept, and can go on. */
export interface Interrupted {
  games: number;
  guests: number;
  events: number;
}

/** What was asked for; None where there is nothing to say but that it was done. */
export interface Answer {
  kind: "Answer";
  ask: number;
  result: unknown;
}

/** Why something was not done, in words, and the id of the message. */
export interface Refusal {
  kind: "Refusal";
  ask: number;
  id: string;
  text: string;
}

/** What has changed in a room: plies from number `since` on are replaced by these. */
export interface RoomChanged {
  kind: "RoomChanged";
  room: string;
  version: number;
  standing: Standing;
  since: number | null;
  plies: Ply[];
  moves: string[];
  now: Now | null;
}

/** What is thought of a place so far: all lines, the best first. */
export interface Thoughts {
  kind: "Thoughts";
  ask: number;
  lines: ThoughtFacts[];
  is_done: boolean;
  preparing: number | null;
  seconds: number | null;
}

/** How far a review has come; its moves when it is done. */
export interface ReviewGrew {
  kind: "ReviewGrew";
  ask: number;
  done: number;
  total: number;
  moves: ReviewedMove[] | null;
  preparing: number | null;
}

/** An event that has gone on. */
export interface EventChanged {
  kind: "EventChanged";
  state: EventState;
}

/** The server ends. */
export interface Farewell {
  kind: "Farewell";
}

/** How long the moves of a bot took, in seconds. */
export interface MoveTimes {
  bot: string;
  moves: number;
  median: number;
  most: number;
  slowest: number;
}

/** A version of a bot that was handed in again. */
export interface RatedVersion {
  bot: string;
  title: string;
  since: string;
  games: number;
  rating: number;
  rating_error: number;
}

/** What a report shows of an event beside its standings and games. */
export interface EventStatistics {
  superiority: (number | null)[][];
  times: MoveTimes[];
  versions: RatedVersion[];
}

/** A game and its positions. */
export interface ReplayedGame {
  game: GameOfEvent;
  plies: Ply[];
  now: Now;
}

/** What lies in the page: an event, whose games are in files beside it, or one game. */
export interface ReportData {
  language: string;
  words: Record<string, unknown>;
  ground: Ground;
  title: string;
  rules: string;
  games_per_file: number;
  state: EventState | null;
  statistics: EventStatistics | null;
  game: ReplayedGame | null;
}

/** A position: a game, its first position if that is not the usual one, and the moves since. */
export interface PlaceSent {
  game: string;
  start?: string | null;
  moves?: string[];
}

/** Who is to sit in a seat: the person who asks, another person (by invitation), or a bot. */
export interface SeatWish {
  who: "bot" | "guest" | "me";
  bot?: string;
  name?: string;
}

/** Seconds for each player's whole game, and seconds added after each move. */
export interface ClockWish {
  game: number;
  increment?: number;
}

/** What a room allows. */
export interface AllowedSent {
  undo?: "asked" | "free" | "never";
  help?: boolean;
  bots_resign?: boolean;
}

/** The first request, and again when the language changes: answered by a `Welcome`. */
export interface Hello {
  kind: "Hello";
  language: "en" | "fr";
}

/** What can be played: answered by `GameEntry`s. */
export interface Catalogue {
  kind: "Catalogue";
}

/** What can be chosen for a game of this spec: answered by a `GameChoices`. */
export interface Choices {
  kind: "Choices";
  game: string;
}

/** The rules of a game, for people to read: answered by a `RulesPage`. */
export interface Rules {
  kind: "Rules";
  game: string;
}

/** Begin a game: answered by an `Opened`. */
export interface OpenRoom {
  kind: "OpenRoom";
  place: PlaceSent;
  seats: SeatWish[];
  clock?: ClockWish | null;
  seed?: number | null;
  allowed?: AllowedSent;
}

/** A position or a game that a person has pasted: answered by a `Place`. */
export interface ReadText {
  kind: "ReadText";
  text: string;
  game?: string | null;
}

/** A place as texts to copy: answered by a `Written`. */
export interface WriteText {
  kind: "WriteText";
  place: PlaceSent;
}

/** Be shown a room from now on: answered by a `RoomState`, followed by `RoomChanged`s. */
export interface Enter {
  kind: "Enter";
  room: string;
}

/** No longer be shown a room. */
export interface Leave {
  kind: "Leave";
  room: string;
}

/** The rooms of this browser, and for the operator all: answered by `RoomEntry`s. */
export interface Rooms {
  kind: "Rooms";
}

/** A link by which another person takes a seat, once: answered by an `Invitation`. */
export interface Invite {
  kind: "Invite";
  room: string;
  seat: number;
}

/** Play a move in the position of this ply. */
export interface PlayMove {
  kind: "PlayMove";
  room: string;
  ply: number;
  move: string;
}

/** Take back to the last own turn, or ask the opponents whether one may. */
export interface Undo {
  kind: "Undo";
  room: string;
}

/** Offer a draw. */
export interface OfferDraw {
  kind: "OfferDraw";
  room: string;
}

/** Answer what an opponent has asked: to take back, a draw, or to play once more. */
export interface AnswerOffer {
  kind: "AnswerOffer";
  room: string;
  accept: boolean;
}

/** Give up. */
export interface Resign {
  kind: "Resign";
  room: string;
}

/** Claim the win against an opponent who has been gone for long. */
export interface Claim {
  kind: "Claim";
  room: string;
}

/** Have the bot to move play the best move that it knows by now. */
export interface StopThinking {
  kind: "StopThinking";
  room: string;
}

/** Play once more with the seats exchanged: answered by an `Opened`, or with an offer between people. */
export interface Rematch {
  kind: "Rematch";
  room: string;
}

/** A good move in the position of a room, or of a place: answered by a `Hinted`. */
export interface Hint {
  kind: "Hint";
  room?: string | null;
  place?: PlaceSent | null;
}

/** Positions outside any room, for analysis and variations: answered by a `LineShown`. */
export interface ShowLine {
  kind: "ShowLine";
  place: PlaceSent;
  since?: number;
  names?: string[];
}

/** Why no move of a place begins with these clicks, cells by number and words: answered by a `Reason`. */
export interface WhyNot {
  kind: "WhyNot";
  place: PlaceSent;
  clicks: (number | string)[];
  names?: string[];
}

/** Think about a place and send the best lines as they are found: `Thoughts` follow until `StopAnalysis`. */
export interface Analyse {
  kind: "Analyse";
  place: PlaceSent;
  bot?: string | null;
  lines?: number;
  seconds?: number | null;
}

/** End the analysis, review or hint that was asked for with this number. */
export interface StopAnalysis {
  kind: "StopAnalysis";
  asked: number;
}

/** Go through a whole game and show what each move cost: `ReviewGrew`s follow. */
export interface Review {
  kind: "Review";
  place: PlaceSent;
}

/** The matches and championships that this server knows: answered by an `EventList`. */
export interface Events {
  kind: "Events";
}

/** Begin a match or championship; for the operator alone. Answered by an `Opened` with its name. */
export interface StartEvent {
  kind: "StartEvent";
  game: string;
  format: string;
  bots: string[];
  games?: number;
  seconds?: number | null;
  seed?: number;
}

/** Interrupt an event, which can go on later; for the operator alone. */
export interface StopEvent {
  kind: "StopEvent";
  event: string;
}

/** Go on with an event that was interrupted; for the operator alone. */
export interface ResumeEvent {
  kind: "ResumeEvent";
  event: string;
}

/** Be shown an event from now on: answered by an `EventState`, followed by `EventChanged`s. */
export interface WatchEvent {
  kind: "WatchEvent";
  event: string;
}

/** No longer be shown an event. */
export interface LeaveEvent {
  kind: "LeaveEvent";
  event: string;
}

/** A game of an event: answered by a `GameOfEvent`. */
export interface EventGame {
  kind: "EventGame";
  event: string;
  number: number;
}

/** The games of an event in which all these bots play, the newest first: answered by `EventGameEntry`s. */
export interface EventGames {
  kind: "EventGames";
  event: string;
  bots?: string[];
}

/** What would be interrupted if the server ended now; for the operator alone. Answered by `Interrupted`. */
export interface UnderWay {
  kind: "UnderWay";
}

/** End the server; for the operator alone. */
export interface QuitServer {
  kind: "QuitServer";
}

export type AnyRequest =
  | Hello
  | Catalogue
  | Choices
  | Rules
  | OpenRoom
  | ReadText
  | WriteText
  | Enter
  | Leave
  | Rooms
  | Invite
  | PlayMove
  | Undo
  | OfferDraw
  | AnswerOffer
  | Resign
  | Claim
  | StopThinking
  | Rematch
  | Hint
  | ShowLine
  | WhyNot
  | Analyse
  | StopAnalysis
  | Review
  | Events
  | StartEvent
  | StopEvent
  | ResumeEvent
  | WatchEvent
  | LeaveEvent
  | EventGame
  | EventGames
  | UnderWay
  | QuitServer;

/** What answers requests, by their kinds. */
export interface Results {
  Hello: Welcome;
  Catalogue: GameEntry[];
  Choices: GameChoices;
  Rules: RulesPage;
  OpenRoom: Opened;
  ReadText: Place;
  WriteText: Written;
  Enter: RoomState;
  Leave: null;
  Rooms: RoomEntry[];
  Invite: Invitation;
  PlayMove: null;
  Undo: null;
  OfferDraw: null;
  AnswerOffer: null;
  Resign: null;
  Claim: null;
  StopThinking: null;
  Rematch: Opened | null;
  Hint: Hinted;
  ShowLine: LineShown;
  WhyNot: Reason;
  Analyse: null;
  StopAnalysis: null;
  Review: null;
  Events: EventList;
  StartEvent: Opened;
  StopEvent: null;
  ResumeEvent: null;
  WatchEvent: EventState;
  LeaveEvent: null;
  EventGame: GameOfEvent;
  EventGames: EventGameEntry[];
  UnderWay: Interrupted;
  QuitServer: null;
}

/** What the server tells without being asked. */
export interface Pushes {
  RoomChanged: RoomChanged;
  Thoughts: Thoughts;
  ReviewGrew: ReviewGrew;
  EventChanged: EventChanged;
  Farewell: Farewell;
}
