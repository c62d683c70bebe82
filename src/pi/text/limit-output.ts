// Owns the size of what a tool hands to the model: Pi's own limits are 50 KB and 2,000 lines, and a larger result would fill
// the context. The rest is not lost; the caller says where the whole text is.

export const MAX_OUTPUT_BYTES = 50 * 1024;
export const MAX_OUTPUT_LINES = 2000;

export interface LimitedText {
  readonly text: string;
  readonly cut: boolean;
}

/** The beginning of `text` within both limits; never cuts inside a character. */
export function limitOutput(text: string, maxBytes = MAX_OUTPUT_BYTES, maxLines = MAX_OUTPUT_LINES): LimitedText {
  const lines = text.split("\n");
  const byLines = lines.length > maxLines ? lines.slice(0, maxLines).join("\n") : text;
  const kept = cutBytes(byLines, maxBytes);
  return { text: kept, cut: kept.length < text.length };
}

function cutBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text).subarray(0, maxBytes);
  let end = bytes.length;
  while (end > 0 && ((bytes[end - 1] ?? 0) & 0b1100_0000) === 0b1000_0000) end--;
  const lead = bytes[end - 1] ?? 0;
  const whole = lead < 0x80 || bytes.length - end + 1 === sequenceLength(lead);
  return bytes.subarray(0, whole ? bytes.length : end - 1).toString("utf8");
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}
