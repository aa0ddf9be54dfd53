package packer

// A Pack is a rendered context.
type Pack struct {
	// Bytes is the text: well-formed XML in UTF-8 with a final newline.
	Bytes []byte
	// Digest identifies Bytes: the first 16 hex digits of their SHA-256.
	Digest string
	// Characters (UTF-16 code units) and Tokens (estimated) are the size of Bytes.
	Characters, Tokens int
	// Budget is the ceiling.
	Budget Budget
	// Entries lists all candidates in the order of the pack, for idumb context --explain.
	Entries []Entry
	// Overflow is not empty if the reserved entries do not fit. It contains the next step, and
	// Bytes contains the same text. Callers must show it.
	Overflow string
}

// An Entry is a candidate for a pack.
type Entry struct {
	Section string // rules, project, anti_patterns, anchors, insights, code, plan, task
	ID      string // kind/name, or a word for an entry without an object: "language"
	Score   int    // higher is selected first; not comparable between sections
	Tokens  int    // estimated
	In      bool
	Why     string // a sentence for people: why the entry is included or not
}

// A Budget is a ceiling. A pack is within it if it has at most Tokens tokens or at most Characters
// characters, and in any case at most Limit characters.
type Budget struct {
	Tokens     int // contextShare percent of contextWindow
	Characters int // contextMinCharacters
	Limit      int // limit of the host, in characters; 0 means none
}

// MinLimit is the least limit of a pack, in Characters: the size of its frame and the notice of an
// overflow.
const MinLimit = 1000
