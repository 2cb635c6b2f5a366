// SPDX-License-Identifier: Apache-2.0
//
// Sorting, filtering and the theme. The page can be read without it: all it hides is what it adds.
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const list = byId("list");
  const PAGE = 200;

  // Theme: as the system has it until somebody chooses.
  const themes = ["auto", "dark", "light"];
  const stored = () => { try { return localStorage.getItem("coalcheck-theme"); } catch { return null; } };
  let theme = themes.includes(stored()) ? stored() : "auto";
  const themeButton = byId("theme");
  const showTheme = () => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    themeButton.textContent = `Theme: ${theme}`;
  };
  themeButton.hidden = false;
  themeButton.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    try { localStorage.setItem("coalcheck-theme", theme); } catch { /* a page without storage */ }
    showTheme();
  });
  showTheme();
  if (!list) return;

  const rows = Array.from(list.children, (item, order) => {
    const details = item.firstElementChild;
    const data = details.dataset;
    const cells = details.firstElementChild.children;
    return {
      item, details, order, id: details.id, kind: data.kind, patterns: data.patterns,
      where: cells[0].textContent, kernel: cells[2].textContent,
      share: Number(data.share), wasted: Number(data.wasted), request: Number(data.request), cost: Number(data.cost),
      text: null,
    };
  });
  const textOf = (row) => row.text ??= `${row.where} ${row.kernel} ${row.patterns}`.toLowerCase();

  const filter = byId("filter"), kind = byId("kind"), pattern = byId("pattern");
  const sorters = Array.from(document.querySelectorAll(".sort button"));
  let key = null, falling = true, shown = PAGE, matching = rows;

  const fill = (select, values) => {
    for (const value of [...new Set(values)].sort()) select.add(new Option(value, value));
  };
  fill(kind, rows.flatMap((row) => row.kind.split(", ")));
  fill(pattern, rows.flatMap((row) => row.patterns.split(", ")).filter((name) => name !== ""));

  const compare = (a, b) => {
    const x = a[key], y = b[key];
    const order = typeof x === "string" ? x.localeCompare(y, undefined, {numeric: true}) : x - y;
    return (falling ? -order : order) || a.order - b.order;
  };
  const say = () => {
    const first = Math.min(shown, matching.length);
    byId("status").textContent = `${matching.length} of ${rows.length} findings` +
      (first < matching.length ? `, the first ${first} shown` : "");
    byId("more").hidden = first === matching.length;
  };
  const attach = () => { list.replaceChildren(...matching.slice(0, shown).map((row) => row.item)); say(); };
  const render = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    matching = rows.filter((row) => (kind.value === "" || row.kind.split(", ").includes(kind.value)) &&
      (pattern.value === "" || row.patterns.split(", ").includes(pattern.value)) &&
      words.every((word) => textOf(row).includes(word)));
    if (key !== null) matching.sort(compare);
    shown = PAGE;
    attach();
  };

  for (const button of sorters) {
    button.addEventListener("click", () => {
      const same = key === button.dataset.key;
      falling = same ? !falling : !["where", "kind", "kernel"].includes(button.dataset.key);
      key = button.dataset.key;
      for (const other of sorters) {
        other.setAttribute("aria-pressed", String(other === button));
        other.querySelector("span").textContent = other === button ? (falling ? " ▼" : " ▲") : "";
        if (other === button) other.title = falling ? "sorted, largest first" : "sorted, smallest first";
        else other.removeAttribute("title");
      }
      render();
    });
  }
  filter.addEventListener("input", render);
  kind.addEventListener("change", render);
  pattern.addEventListener("change", render);
  byId("more").addEventListener("click", () => {
    const next = matching[shown];
    shown += PAGE;
    attach();
    next.details.firstElementChild.focus();
  });
  const setAll = (open) => { for (const row of matching.slice(0, shown)) row.details.open = open; };
  byId("open").addEventListener("click", () => setAll(true));
  byId("close").addEventListener("click", () => setAll(false));

  // A link from the source leads to a finding that may be filtered out or further down.
  const reveal = () => {
    const row = rows.find((one) => `#${one.id}` === location.hash);
    if (!row) return;
    if (!matching.includes(row)) { filter.value = kind.value = pattern.value = ""; render(); }
    shown = Math.max(shown, matching.indexOf(row) + 1);
    attach();
    row.details.open = true;
    row.details.scrollIntoView();
    row.details.firstElementChild.focus({preventScroll: true});
  };
  window.addEventListener("hashchange", reveal);
  for (const element of document.querySelectorAll(".scripted")) element.hidden = false;
  attach();
  reveal();
})();
