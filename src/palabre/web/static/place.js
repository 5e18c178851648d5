// @ts-check
// Places in addresses: a game, its first position and the moves since, as the query of a link.

/**
 * @import { Node, Tree } from "./tree.js"
 * @import { Place, PlaceSent } from "./protocol.d.ts"
 *
 * @typedef {{ [name: string]: string | number | (string | number)[] }} More
 */

/**
 * The query for a place, `?game=…&start=…&moves=…`; of `more`, a list of values is one name several times.
 *
 * @param {PlaceSent} place
 * @param {More} more
 */
export function queryOf(place, more = {}) {
  const query = new URLSearchParams({ game: place.game });
  if (place.start) query.set("start", place.start);
  if (place.moves?.length) query.set("moves", place.moves.join(" "));
  for (const [name, values] of Object.entries(more))
    for (const value of [values].flat()) query.append(name, String(value));
  return `?${query}`;
}

/**
 * The query for a node of a tree: the whole game and, of a variation, the ply that it leaves and its moves.
 *
 * @param {Tree} tree
 * @param {Node} node
 * @param {More} more
 */
export function queryOfNode(tree, node, more = {}) {
  const { path } = tree.leafOf(node);
  const left = path.findIndex((known) => !tree.isMain(known));
  const tried = left < 0 ? [] : [[left - 1, ...path.slice(left).map(({ ply }) => ply.move)].join(" ")];
  return queryOf(tree.placeOf(tree.last), { ...more, tried });
}

/**
 * The ply at which the variation of a query leaves the game, and its moves.
 *
 * @param {URLSearchParams} query
 */
export function triedIn(query) {
  const [ply, ...moves] = (query.get("tried") ?? "").split(" ").filter((word) => word);
  return { ply: Number(ply) || 0, moves };
}

/**
 * What a query keeps of a table, for reviews: the names of the players, and the seats of the reader.
 *
 * @param {string[]} names
 * @param {number[]} seats
 */
export function tableOf(names, seats) {
  return { name: names, seat: seats.length === 1 ? seats : [] };
}

/**
 * The place of a query, or null if it names no game.
 *
 * @param {URLSearchParams} query
 * @returns {Place | null}
 */
export function placeIn(query) {
  const game = query.get("game");
  const moves = (query.get("moves") ?? "").split(" ").filter((move) => move);
  return game ? { game, start: query.get("start"), moves } : null;
}

/**
 * A spec with parameters added: `awele`, { stop: 4 } gives `awele:stop=4`.
 *
 * @param {string} spec
 * @param {Record<string, unknown>} values
 */
export function specWith(spec, values) {
  const items = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  if (items.length === 0) return spec;
  return `${spec}${spec.includes(":") ? "," : ":"}${items.join(",")}`;
}
