// Texts that break careless readers: control, invisible, bidirectional and broken characters, and names with a meaning elsewhere.

const TEXTS: readonly string[] = [
  "\u0000b",
  "a\u0000b",
  "\u001b]8;;https://example.com\u0007click\u001b]8;;\u0007",
  "a\u0085 \u2028 \u2029",
  "\u202e\u2066reversed\u2069",
  "a\u200b\u200d\ufeff\u00ad",
  "\ud800",
  "\udc00\ud800",
  "\uffff\ufffe",
  "\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67",
  `z${"\u0335".repeat(200)}`,
  "日本語エージェント",
  "__proto__",
  "constructor",
  "../../../etc/passwd",
  "C:\\NUL",
  "%00%2e%2e%2f",
  "'; DROP TABLE tasks; --",
  "<script>alert(1)</script>",
  "data: x\n\nevent: error\n\n",
  "\r\nX-Injected: 1\r\n\r\n",
];

/** Each shows something, and none is longer than 1000 characters. */
export function hostileTexts(): readonly string[] {
  return TEXTS;
}
