// Owns a file that only grows: what is added is there as a whole or not at all, so that its last line is never torn by us. Writes
// block (a write into the kernel takes microseconds) until one was slow; then they go through a thread for a while.

import * as fs from "node:fs";
import { promisify } from "node:util";
import type { Clock } from "./clock.ts";
import { A2aError, describeError } from "./errors.ts";

/** A write that blocks longer holds up the whole session. */
const SLOW_MS = 5;
const SLOW_FOR_MS = 2_000;

export interface AppendFile {
  readonly path: string;
  /** Bytes that were added and are kept. */
  readonly size: number;
  /** False once it is closed, and once what a failed write left could not be cut off: nothing more may be added. */
  readonly usable: boolean;
  /** False when somebody has deleted it: what is added then is gone when it is closed. */
  isThere(): boolean;
  /**
   * Adds all of the bytes, or nothing and throws FILE_FAILED. With `sync` they outlive a power failure. One call at a time.
   */
  append(bytes: Uint8Array, sync: boolean): Promise<void>;
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** The calls a test replaces to see how refusals of the operating system are met. */
export interface AppendParts {
  open(path: string, flags: string, mode: number): number;
  writeSync(fd: number, bytes: Uint8Array, offset: number, length: number): number;
  write(fd: number, bytes: Uint8Array, offset: number, length: number): Promise<{ readonly bytesWritten: number }>;
  truncate(fd: number, size: number): void;
  sync(fd: number): Promise<void>;
}

const write = promisify(fs.write);
const read = promisify(fs.read);
const REAL: AppendParts = {
  open: fs.openSync,
  writeSync: (fd, bytes, offset, length) => fs.writeSync(fd, bytes, offset, length),
  write: (fd, bytes, offset, length) => write(fd, bytes, offset, length, null),
  truncate: fs.ftruncateSync,
  sync: promisify(fs.fdatasync),
};

interface State {
  readonly path: string;
  readonly fd: number;
  readonly clock: Clock;
  readonly parts: AppendParts;
  size: number;
  usable: boolean;
  closed: boolean;
  /** Writes before this moment go through a thread. */
  slowUntil: number;
}

/** Makes the file, 0600; FILE_FAILED when it cannot be made or exists: nobody goes on where another writer stopped. */
export function createAppendFile(path: string, clock: Clock, parts: Partial<AppendParts> = {}): AppendFile {
  const real = { ...REAL, ...parts };
  const state: State = {
    path,
    fd: open(path, real),
    clock,
    parts: real,
    size: 0,
    usable: true,
    closed: false,
    slowUntil: 0,
  };
  return {
    path,
    get size() {
      return state.size;
    },
    get usable() {
      return state.usable && !state.closed;
    },
    isThere: () => !state.closed && fs.fstatSync(state.fd).nlink > 0,
    append: (bytes, sync) => append(state, bytes, sync),
    read: (offset, length) => readAt(state.fd, path, offset, length),
    async close() {
      if (state.closed) return;
      state.closed = true;
      await closeFile(state.fd);
    },
  };
}

function open(path: string, parts: AppendParts): number {
  try {
    return parts.open(path, "ax+", 0o600);
  } catch (error) {
    throw failed("make", path, error);
  }
}

async function append(state: State, bytes: Uint8Array, sync: boolean): Promise<void> {
  if (!state.usable) throw failed("write", state.path, "an earlier failure left it unusable");
  // The number may belong to another file by now.
  if (state.closed) throw failed("write", state.path, "it is closed");
  try {
    if (state.clock.monotonic() < state.slowUntil) await writeThreaded(state, bytes);
    else writeNow(state, bytes);
    if (sync) await state.parts.sync(state.fd);
  } catch (error) {
    cutBack(state);
    throw failed("write", state.path, error);
  }
  state.size += bytes.length;
}

function writeNow(state: State, bytes: Uint8Array): void {
  const { fd, parts, clock } = state;
  const startedAt = clock.monotonic();
  for (let done = 0; done < bytes.length; ) {
    done += needProgress(parts.writeSync(fd, bytes, done, bytes.length - done));
  }
  const now = clock.monotonic();
  if (now - startedAt > SLOW_MS) state.slowUntil = now + SLOW_FOR_MS;
}

async function writeThreaded({ fd, parts }: State, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += needProgress((await parts.write(fd, bytes, done, bytes.length - done)).bytesWritten);
  }
}

/** A write of nothing, again and again, would never end. */
function needProgress(written: number): number {
  if (written > 0) return written;
  throw new A2aError("FILE_FAILED", "nothing could be written");
}

function cutBack(state: State): void {
  try {
    state.parts.truncate(state.fd, state.size);
  } catch {
    // The half of a line that stays is the last of this file, and a line without its end counts for nobody.
    state.usable = false;
  }
}

/** FILE_FAILED when the file ends before. */
async function readAt(fd: number, path: string, offset: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(length);
  try {
    for (let done = 0; done < length; ) {
      const { bytesRead } = await read(fd, bytes, done, length - done, offset + done);
      if (bytesRead === 0) throw new A2aError("FILE_FAILED", "it is shorter than it was");
      done += bytesRead;
    }
  } catch (error) {
    throw failed("read", path, error);
  }
  return bytes;
}

const closeFile = promisify(fs.close);

function failed(verb: string, path: string, error: unknown): A2aError {
  const reason = describeError(error).split(", ")[0];
  return new A2aError("FILE_FAILED", `cannot ${verb} ${path}: ${reason}`, { cause: error });
}
