package search

// Document is one thing to be found. Its texts are only read.
type Document struct {
	// ID names it; no two documents of an Index may have one ID: "mems/no-retry".
	// What stands after the last '/' is its name, and a question may name it.
	ID string
	// Revision changes whenever anything of the document changes but Order, Confidence,
	// Suspect and Hidden. "": it is analysed anew each time.
	Revision string

	Title   string
	Text    string
	Tags    []string
	Cues    []string // phrases that a later question will use
	Symbols []string // identifiers that it is about: "parseToken", "Store.Put"
	Globs   []string // paths, or patterns of resources.MatchGlob, that it applies to
	Paths   []string // files that it cites

	// Origin is what it came from, such as a task or a conversation; "" for nothing.
	// Documents of one origin lend each other weight, those most that were made one after
	// the other: by Order, those of one Order by ID.
	Origin string
	Order  int64
	// Related are IDs of other documents, in either direction.
	Related []string

	// Confidence is 0 to 100.
	Confidence int
	// Suspect documents weigh half.
	Suspect bool
	// Hidden documents are not found, lend nothing and count in nothing, unless a question
	// says otherwise (Query.Hides): superseded, purged.
	Hidden bool
}

// field is a part of a document that words stand in.
type field int

const (
	inTitle field = iota
	inTags
	inApplies // cues, symbols, globs
	inText
	inPaths
	fields
)

// Weights are how much a word counts by the field it stands in, in halves: what was
// written to be found by counts twice as much as what was written to be read.
var weights = [fields]int{inTitle: 4, inTags: 4, inApplies: 4, inText: 2, inPaths: 3}
