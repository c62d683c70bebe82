// Texts of peers that terminals count in another way than programs do, obey, or draw out of order.

export const HOSTILE_TEXTS: readonly string[] = [
  "日本語エージェントが長い名前を持っていて、幅を二倍に数える",
  "한글 이름, 그리고 조합형 \u1112\u1161\u11ab\u1100\u1173\u11af",
  "🇺🇸🇯🇵 👨‍👩‍👧‍👦 ⚠️ 1️⃣ 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 👍🏽",
  "combining e\u0301\u0301\u0301\u0301 Z\u0351\u0359\u0332a\u0322\u0334l\u035cg\u0363o",
  "zero\u200bwidth\u200c\u200d\u2060 soft\u00adhyphen \ufeff\ufe0f",
  "abc\u202edefghi\u202c \u2066isolate\u2069 \u200fמימין לשמאל من اليمين",
  "tab\tin\tthe\tmiddle\t\t\t",
  "line\r\nbreaks\rand\u2028others\u2029and\u0085more\vand\f",
  "\u001b[2J\u001b[H\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\",
  "\u009b2J \u0090dcs\u009c \u009d0;c1 title\u009c \u001bPq\u001b\\ \u001b_apc\u001b\\ \u001b",
  "\u0000\u0007\u0008\u0008\u0008nul bell and back \u007f",
  "lone \ud83d surrogate \udc00 and \ufffd\ufffe\uffff",
  "हिन्दी ไทยภาษา தமிழ் বাংলা",
  "x".repeat(450),
  "\u3000ideographic\u3000space ｆｕｌｌｗｉｄｔｈ ｈａｌｆ ﾊﾝｶｸ",
  "   ",
  "",
];
