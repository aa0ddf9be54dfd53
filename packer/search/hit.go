package search

// A Hit is a document that was found, with the parts of its score.
type Hit struct {
	// Document is its number in the Index, ID its ID.
	Document int
	ID       string
	// Score is greater than 0 and comparable only within a Result. All parts have the same unit: Score
	// is (sum of Terms + Related + Origin), times 1.6 if Named, times 0.85 + 0.15 x Confidence, halved
	// if Suspect. Each step is rounded down.
	Score int64
	// Terms lists the words of the question, and those added by feedback, in the
	// document, highest weight first.
	Terms []TermWeight
	// Related is the share of the score of the best related document, RelatedID.
	Related   int64
	RelatedID string
	// Origin is the share of the score of the best other document of the same
	// origin, OriginID.
	Origin   int64
	OriginID string
	// Named lists the paths, symbols, tags and IDs of the document in the question, as "path
	// packer/score.go".
	Named []string
	// Confidence and Suspect are those of the Document.
	Confidence int
	Suspect    bool
}

// TermWeight is the contribution of a word.
type TermWeight struct {
	// Term is the stem of a word, or a whole identifier.
	Term   string
	Weight int64
	// Near is the near word in the document; empty for Term itself.
	Near string
	// Feedback is set for a word of the best documents that is not in the question.
	Feedback bool
}
