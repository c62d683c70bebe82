// Owns drawing of plain lines: none is ever wider than the terminal, because a wider one ends the whole of Pi.

import type { Component } from "@mariozechner/pi-tui";
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@mariozechner/pi-tui";

/** One line per entry, cut with an ellipsis. */
export function cutLines(lines: readonly string[]): Component {
  return component((width) => lines.map((line) => fitWidth(line, width)));
}

/** Entries wrapped to the width, for expanded views. */
export function wrappedLines(lines: readonly string[]): Component {
  return component((width) =>
    width < 1 ? [] : lines.flatMap((line) => wrapTextWithAnsi(line, width)).map((line) => fitWidth(line, width)),
  );
}

/** `line` cut to `width` columns as the terminal counts them. */
export function fitWidth(line: string, width: number): string {
  if (width < 1) return "";
  return visibleWidth(line) <= width ? line : truncateToWidth(line, width);
}

function component(render: (width: number) => string[]): Component {
  return { render, invalidate: () => undefined };
}
