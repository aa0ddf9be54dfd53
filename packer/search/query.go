package search

// Query is a question. The zero Query finds nothing.
type Query struct {
	// Parts are texts, each with its weight: of a task the title, what is expected,
	// the plan's words. A word that stands in several has the greatest weight of them.
	Parts []Part
	// Paths are files or patterns that the question is about, besides those that its
	// texts name.
	Paths []string
	// Plain leaves out feedback, neighbours, origin and names: BM25F, confidence and
	// suspicion alone, for comparing.
	Plain bool
	// Alone leaves out what documents of one origin lend to each other: of many answers that are told
	// together one strong one would draw all of its origin with it.
	Alone bool
	// Hides tells which documents, by number, are as if they were not there; nil: those that
	// are Hidden.
	Hides func(document int) bool
}

// Part is a text of a question.
type Part struct {
	Text string
	// Weight counts in relation to the other parts' weights; 0 is 1.
	Weight int
}
