/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The search of search.html. search-index.js has set search_index, a list of {location, title,
 * text} for each section of each page. No request is made, so that it works from file://. */
"use strict";

/* The sections in which each of the words begins a word, perhaps behind "mgpu", best first. */
function search(index, query) {
  const escape = (word) => word.replace(/[.*+?^${}()|[\]\\\/]/g, "\\$&");
  const words = query.split(/\s+/).filter((word) => word.length > 1)
    .map((word) => new RegExp("(?<![\\p{L}\\p{N}])(?:mgpu)?" + escape(word), "giu"));
  const count = (text, word) => (text.match(word) || []).length;
  const score = (section) => words.map((word) =>
    20 * count(section.title, word) + 20 * count(section.location.split("#")[0], word)
    + Math.min(count(section.text, word), 10));

  return words.length == 0 ? [] : index.map((section) => ({section, scores: score(section)}))
    .filter((found) => found.scores.every((n) => n > 0))
    .sort((a, b) => Math.max(...b.scores) - Math.max(...a.scores))
    .map((found) => found.section);
}

function element(name, text, ...children) {
  const made = document.createElement(name);

  made.textContent = text;
  made.append(...children);
  return made;
}

function show(input, results) {
  const found = search(search_index, input.value).slice(0, 50);

  results.replaceChildren(...found.map((section) => {
    const link = element("a", section.title);

    link.href = section.location;
    return element("article", "", element("h3", "", link), element("p", section.text.slice(0, 300)));
  }));
  if (found.length == 0)
    results.append(element("p", "Nothing was found."));
}

if (typeof document != "undefined") {
  const input = document.getElementById("search-query");
  const results = document.getElementById("search-results");

  input.value = new URLSearchParams(location.search).get("q") || "";
  input.addEventListener("input", () => show(input, results));
  show(input, results);
}
