package packer

// Pack is a packed context.
type Pack struct {
	// Bytes is the text: well-formed XML in UTF-8, ending with a newline.
	Bytes []byte
	// Digest identifies Bytes: the first 16 hex digits of their SHA-256.
	Digest string
	// Characters (UTF-16 code units) and Tokens (estimated) are the size of Bytes.
	Characters, Tokens int
	// Budget is the ceiling that held.
	Budget Budget
	// Entries are all candidates, in and out, in the order of the pack, for
	// explaining it.
	Entries []Entry
	// Overflow says, where it is not empty, that not even the reserved parts fit,
	// and what to do; Bytes carries the same sentence. Loud: show it.
	Overflow string
}

// Entry is one candidate for a pack.
type Entry struct {
	Section string // rules, project, anti_patterns, anchors, insights, code, plan, task
	ID      string // kind/name, or a word for what is no object: "language"
	Score   int    // what its place in the queue was; more is better; not comparable between sections
	Tokens  int    // estimated
	In      bool
	Why     string // a sentence for people: why it is in, or why it is not
}

// Budget is a ceiling. A pack is within it if it has at most Tokens tokens or at
// most Characters characters, and in any case at most Limit characters.
type Budget struct {
	Tokens     int // contextShare percent of contextWindow
	Characters int // contextMinCharacters
	Limit      int // the host's, in characters; 0: none
}

// MinLimit is the least limit, in characters, that a pack can keep: what its
// frame and the notice of an overflow take.
const MinLimit = 1000
