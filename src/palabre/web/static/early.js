// @ts-check
// Before the first paint: the chosen theme, so that a dark page is never white for a moment. settings.js does the rest.
try {
  const kept = JSON.parse(localStorage.getItem("palabre.settings") ?? "{}");
  if (kept.theme) document.documentElement.dataset.theme = kept.theme;
  if (kept.language) document.documentElement.lang = kept.language;
} catch {
  // Storage is forbidden or damaged: the defaults of the page stand.
}
