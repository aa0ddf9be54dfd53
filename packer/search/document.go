package search

// A Document is an entry of an Index. Its texts are not modified.
type Document struct {
	// ID identifies the document in its Index: "mems/no-retry". The part after the last '/' is its
	// name, which a question may contain.
	ID string
	// Revision changes whenever the document changes, except for Confidence, Suspect and
	// Hidden. If it is "", the document is analyzed each time.
	Revision string

	Title   string
	Text    string
	Tags    []string
	Cues    []string // phrases of future questions
	Symbols []string // identifiers of its subject: "parseToken", "Store.Put"
	Globs   []string // paths, or patterns of resources.MatchGlob, that it applies to
	Paths   []string // files that it cites

	// Origin is the task or session that it comes from; empty if none. Documents of one origin share
	// scores.
	Origin string
	// Related lists IDs of other documents, in either direction.
	Related []string

	// Confidence is 0 to 100.
	Confidence int
	// Suspect documents have half the score.
	Suspect bool
	// Hidden documents (superseded, purged) are not found and do not affect others, unless
	// Query.Hides decides otherwise.
	Hidden bool
}

// field is a part of a document.
type field int

const (
	inTitle field = iota
	inTags
	inApplies // cues, symbols, globs
	inText
	inPaths
	fields
)

// weights is the weight of a word by field, in halves: fields that were written
// for search count twice as much as the text, paths one and a half times.
var weights = [fields]int{inTitle: 4, inTags: 4, inApplies: 4, inText: 2, inPaths: 3}
