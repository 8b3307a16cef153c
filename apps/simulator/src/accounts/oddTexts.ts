/** Whole texts in many scripts; the account `unicode` posts these. */
export const UNICODE_TEXTS: readonly string[] = [
  "日本語のタイトルと絵文字 🎏🗻 と半角ｶﾅ",
  "مرحبا بالعالم: تجربة نص من اليمين إلى اليسار ١٢٣",
  "שלום עולם (עם סוגריים) and English mixed in",
  "Ça va? Zażółć gęślą jaźń, naïve façade, Ångström, ĿĦŦ",
  "หน้าต่างทดสอบภาษาไทยไม่มีช่องว่างระหว่างคำ",
  "👩🏽‍🚀👨‍👩‍👧‍👦🏳️‍🌈🇺🇳 family, flag and skin tone sequences",
  "Z̸͍̊a̵͓͐l̷̙̈g̶̹̈́o̵̗͑ combining marks, and e\u0301 against é",
  "도전에 관한 예시 일곱 가지 #도전 #예시",
  "Привіт, світе! #приклад #топ #українською ",
  "नमस्ते दुनिया — संयुक्ताक्षर क्षत्रिय",
  "𝔄𝔫𝔠𝔦𝔢𝔫𝔱 𝕸𝖆𝖙𝖍 letters beyond the basic plane 𐍈𐎤",
  "Zero\u200bwidth\u200cjoiners\u200d and\u00a0hard\u202fspaces\u2028with a line separator",
];

/** Texts that a careless reader trips over; the account `hostile-text` posts these. */
export const HOSTILE_TEXTS: readonly string[] = [
  "<script>alert(1)</script><img src=x onerror=alert(2)>",
  "NUL in the middle: [\u0000] and a bell [\u0007]",
  "a lone surrogate: [\ud83d] at work",
  "\u202egnp.exe reversed by a control character\u202c",
  "'; DROP TABLE posts; -- \\ \" {{7*7}} <%= 7*7 %> %s %n",
  "https://example.test/?a=1&b=<2>#x javascript:alert(3)",
  "   \t\r\n   ",
  '=HYPERLINK("https://example.test","click")',
];
