// A terminal in memory under the host's own renderer: what Pi would draw, read back from a terminal emulator. The renderer throws on a
// line that is too wide, as it does in Pi, where that ends the process.

import { tmpdir } from "node:os";
import type { Component, Terminal } from "@mariozechner/pi-tui";
import * as PiTui from "@mariozechner/pi-tui";
// A CommonJS package: its names are on the default export when this file is loaded as a module.
import headless from "@xterm/headless";

type Emulator = InstanceType<typeof headless.Terminal>;

export interface VirtualTui {
  /** Puts the component on the screen, in place of what was there, and draws it. */
  show(component: Component): void;
  /** Draws what is there again, in a terminal of this size. */
  resize(columns: number, rows?: number): void;
  /** The rows of the screen; `wrapped` says that a row is the rest of one that was too long. */
  screen(): Promise<readonly { readonly text: string; readonly wrapped: boolean }[]>;
  stop(): void;
}

export interface RealRenderer {
  /** Draws the component, in place of what was there. Throws when a line is too wide. */
  show(component: Component): void;
  stop(): void;
}

/** The host's renderer on a terminal that forgets what is drawn: for many widths, at little cost. */
export function openRenderer(columns: number): RealRenderer {
  // So many rows that everything is in sight: the renderer draws over only what is, and only then looks at the width.
  const tui = new PiTui.TUI(asTerminal({ write: () => undefined }, { columns, rows: 100_000 }));
  tui.start();
  return { show: (component) => replaceWith(tui, component), stop: () => tui.stop() };
}

/** Narrower ones are only told to the renderer; the emulator has no such terminal. */
const NARROWEST = 2;

export function openVirtualTui(columns: number, rows = 60): VirtualTui {
  const emulator = new headless.Terminal({ cols: Math.max(columns, NARROWEST), rows, allowProposedApi: true });
  const size = { columns, rows };
  const tui = new PiTui.TUI(asTerminal(emulator, size));
  tui.start();
  return {
    show: (component) => replaceWith(tui, component),
    resize(newColumns, newRows = rows) {
      Object.assign(size, { columns: newColumns, rows: newRows });
      emulator.resize(Math.max(newColumns, NARROWEST), newRows);
      draw(tui);
    },
    async screen() {
      await new Promise<void>((resolve) => emulator.write("", resolve));
      const buffer = emulator.buffer.active;
      return Array.from({ length: emulator.rows }, (_, row) => {
        const line = buffer.getLine(buffer.viewportY + row);
        return { text: line?.translateToString(true) ?? "", wrapped: line?.isWrapped === true };
      });
    },
    stop() {
      tui.stop();
      emulator.dispose();
    },
  };
}

function replaceWith(tui: PiTui.TUI, component: Component): void {
  tui.clear();
  tui.addChild(component);
  draw(tui);
}

/**
 * The renderer draws on a later turn of the event loop, where its error would end the test run; and it leaves a crash report below the
 * home folder, which is not the place for one of a test.
 */
function draw(tui: PiTui.TUI): void {
  const home = process.env.HOME;
  process.env.HOME = tmpdir();
  try {
    (tui as unknown as { doRender(): void }).doRender();
  } finally {
    if (home === undefined) delete process.env.HOME;
    else process.env.HOME = home;
  }
}

function asTerminal(
  emulator: Pick<Emulator, "write">,
  size: { readonly columns: number; readonly rows: number },
): Terminal {
  const write = (data: string): void => emulator.write(data);
  return {
    start: () => undefined,
    stop: () => undefined,
    drainInput: async () => undefined,
    write,
    get columns() {
      return size.columns;
    },
    get rows() {
      return size.rows;
    },
    kittyProtocolActive: false,
    moveBy: (lines) => (lines === 0 ? undefined : write(lines > 0 ? `\x1b[${lines}B` : `\x1b[${-lines}A`)),
    hideCursor: () => write("\x1b[?25l"),
    showCursor: () => write("\x1b[?25h"),
    clearLine: () => write("\x1b[K"),
    clearFromCursor: () => write("\x1b[J"),
    clearScreen: () => write("\x1b[2J\x1b[H"),
    setTitle: () => undefined,
    setProgress: () => undefined,
  };
}
