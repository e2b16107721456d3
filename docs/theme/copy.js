/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gives each block of code a button that copies its text. Browsers have no clipboard for pages
 * that come over http from another computer: these get no button. */
"use strict";

if (navigator.clipboard) {
  for (const block of document.querySelectorAll("main pre > code")) {
    const button = document.createElement("button");

    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.textContent.trimEnd());
      button.textContent = "Copied";
      setTimeout(() => button.textContent = "Copy", 2000);
    });
    block.parentElement.append(button);
  }
}
