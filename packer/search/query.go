package search

// A Query is what documents are ranked against: texts with weights, file paths, and options. The zero
// Query finds nothing.
type Query struct {
	// Parts lists the texts with their weights, for example the title and expected output of a
	// task, and the texts of its plan. A word in several parts has the largest of their weights.
	Parts []Part
	// Paths lists files or patterns of interest, in addition to those in the texts.
	Paths []string
	// Plain disables near words, feedback, neighbours, origins and names. Only
	// BM25F, confidence and suspicion remain, for comparisons.
	Plain bool
	// Alone disables the shares between documents of one origin, because one strong document would
	// pull its whole origin into a list of answers.
	Alone bool
	// Hides reports which documents, by number, are ignored; nil means the Hidden ones.
	Hides func(document int) bool
}

// A Part is a text of a question.
type Part struct {
	Text string
	// Weight is relative to the other parts' weights; 0 means 1.
	Weight int
}
