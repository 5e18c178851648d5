// Places in addresses: a game, its first position and the moves since, as the query of a link.

/** The query for a place: `?game=…&start=…&moves=…`. */
export function queryOf(place) {
  const query = new URLSearchParams({ game: place.game });
  if (place.start) query.set("start", place.start);
  if (place.moves?.length) query.set("moves", place.moves.join(" "));
  return `?${query}`;
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
