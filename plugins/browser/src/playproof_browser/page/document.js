// Geometry and visible text of the document, read in an isolated world: the same nodes, but none of the page's scripts,
// prototypes or globals. Bounds are CSS pixels of the viewport.
globalThis.playproof = (() => {
  "use strict";
  const MOST = 2000;
  const LONGEST = 200_000;
  const visible = (element) => {
    const box = element.getBoundingClientRect();
    if (box.width <= 0 || box.height <= 0 || box.bottom <= 0 || box.right <= 0 || box.top >= innerHeight || box.left >= innerWidth) return false;
    return element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
  };
  const shown = (node) => node.parentElement === null || node.parentElement.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const SILENT = new Set(["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT", "TITLE"]);
  const textOf = (root) => {
    let text = "";
    const walk = (node) => {
      if (text.length > LONGEST) return;
      if (node.nodeType === Node.TEXT_NODE) {
        if (shown(node)) text += node.data.replace(/\s+/g, " ");
        return;
      }
      if (SILENT.has(node.nodeName)) return;
      const block = node.nodeType === Node.ELEMENT_NODE && !getComputedStyle(node).display.startsWith("inline");
      if (block && text && !text.endsWith("\n")) text += "\n";
      if (node.nodeName === "INPUT" || node.nodeName === "TEXTAREA") text += node.value;
      for (const child of (node.shadowRoot ?? node).childNodes) walk(child);
      if (block && text && !text.endsWith("\n")) text += "\n";
    };
    walk(root);
    return text.split("\n").map((line) => line.trim()).filter(Boolean).join("\n").slice(0, LONGEST);
  };
  const rendered = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
  };
  const describe = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { text: textOf(element), bounds: { x, y, width, height }, visible: visible(element) };
  };
  return {
    text: () => textOf(document.body ?? document.documentElement),
    elements: (selector) => [...document.querySelectorAll(selector)].slice(0, MOST).map(describe),
    // What somebody who scrolls could see of a selector: the text of each, by its place among all; and scroll to one of them.
    reachable: (selector) => [...document.querySelectorAll(selector)].slice(0, MOST).flatMap((element, place) => (rendered(element) ? [{ place, text: textOf(element) }] : [])),
    show: (selector, place) => {
      const element = document.querySelectorAll(selector)[place];
      element?.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      return element ? describe(element) : null;
    },
  };
})();
