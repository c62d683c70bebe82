// The wording of orders that forged messages give: sources of regular expressions, for letters of either case. All quantifiers are
// bounded.

const GAP = "[\\s,]{1,4}";
const WHOSE = `(?:(?:all|any|every|everything|the|your|my|of|these|those|both)${GAP}){0,4}`;
const EARLIER = "(?:previous|prior|above|earlier|preceding|foregoing|former)";
const OWN = "(?:system|safety|original|initial|developer|built-in)";
const RULES = "(?:instruction|prompt|direction|guideline|rule|command|order|constraint|restriction|directive)s?";
const INSTRUCTIONS = "(?:instruction|prompt|guideline|directive)s?";

/** Orders to drop what the reader was told before. */
export const OVERRIDES: readonly string[] = [
  `(?:ignore|disregard|forget)${GAP}${WHOSE}${EARLIER}${GAP}(?:(?:and|or|system|user|developer)${GAP}){0,2}${RULES}\\b`,
  `(?:ignore|disregard|forget|override|bypass)${GAP}${WHOSE}(?:${EARLIER}${GAP}){0,1}${OWN}${GAP}${INSTRUCTIONS}\\b`,
  `(?:override|bypass)${GAP}${WHOSE}${EARLIER}${GAP}${INSTRUCTIONS}\\b`,
  `(?:ignore|disregard|forget)${GAP}${WHOSE}${INSTRUCTIONS}${GAP}(?:above|before|so far|given|you)\\b`,
  `(?:ignore|disregard|forget)${GAP}(?:everything|all|anything)${GAP}(?:(?:that|which|from)${GAP})?(?:above|before|previous(?:ly)?|prior|so far|you (?:(?:were|have been)(?: (?:told|given|taught|asked))?|know|are))\\b`,
  `you are now${GAP}(?:(?:an?|the|in)${GAP})?(?:[a-z-]{1,20}${GAP}){0,2}(?:DAN|jailbroken|unrestricted|uncensored|unfiltered|assistant|ai|chatbot|(?:developer|god|admin|debug|root|jailbreak) mode|free (?:of|from))\\b`,
  `(?:your )?new (?:system )?(?:instructions?|prompt|rules|role|persona)${GAP}(?:is|are)${GAP}`,
  "new (?:system )?instructions?:",
  "do anything now\\b",
];

const AUXILIARY = "(?:are|'re|must|will|should|shall|may|can|have|need)";
const OBJECT = "(?:the|your|all|this|that|these|every|any|an?|it|them|me|us|my|only|rm|curl|with|to|as|nothing|`)";

/** What a message says that speaks as the one in charge; may stand behind white space. */
export const ORDERS =
  `\\s{0,40}(?:you\\s?${AUXILIARY}\\b|your (?:new|task|job|role|goal|instructions)|(?:ignore|disregard|forget|override|obey|pretend|comply|never|always|please|do not|don't)\\b|` +
  "from now on|new (?:instructions?|rules?|task)|all (?:previous|prior|safety)|the (?:user|operator|previous|above)\\b|this (?:overrides|replaces|supersedes)|" +
  `(?:run|execute|call|print|reveal|output|repeat|send|delete|write|read|show|respond|reply|answer|act|use|follow|stop|start|switch|enter|approve|grant|give|tell|upload|post)[ :]${OBJECT})`;
