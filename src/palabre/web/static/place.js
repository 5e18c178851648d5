// Places in addresses: a game, its first position and the moves since, as the query of a link.

/** The query for a place, `?game=…&start=…&moves=…`; of `more`, a list of values is one name several times. */
export function queryOf(place, more = {}) {
  const query = new URLSearchParams({ game: place.game });
  if (place.start) query.set("start", place.start);
  if (place.moves?.length) query.set("moves", place.moves.join(" "));
  for (const [name, values] of Object.entries(more)) for (const value of [values].flat()) query.append(name, value);
  return `?${query}`;
}

/** The query for a node of a tree: the whole game and, of a variation, the ply that it leaves and its moves. */
export function queryOfNode(tree, node, more = {}) {
  const { path } = tree.leafOf(node);
  const left = path.findIndex((known) => !tree.isMain(known));
  const tried = left < 0 ? [] : [[left - 1, ...path.slice(left).map(({ ply }) => ply.move)].join(" ")];
  return queryOf(tree.placeOf(tree.main.at(-1)), { ...more, tried });
}

/** The ply at which the variation of a query leaves the game, and its moves. */
export function triedIn(query) {
  const [ply, ...moves] = (query.get("tried") ?? "").split(" ").filter((word) => word);
  return { ply: Number(ply) || 0, moves };
}

/** What a query keeps of a table, for reviews: the names of the players, and the seats of the reader. */
export function tableOf(names, seats) {
  return { name: names, seat: seats.length === 1 ? seats : [] };
}

/** The place of a query, or null if it names no game. */
export function placeIn(query) {
  if (!query.get("game")) return null;
  const moves = (query.get("moves") ?? "").split(" ").filter((move) => move);
  return { game: query.get("game"), start: query.get("start"), moves };
}

/** A spec with parameters added: `awele`, { stop: 4 } gives `awele:stop=4`. */
export function specWith(spec, values) {
  const items = Object.entries(values).map(([name, value]) => `${name}=${value}`);
  if (items.length === 0) return spec;
  return `${spec}${spec.includes(":") ? "," : ":"}${items.join(",")}`;
}
