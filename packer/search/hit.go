package search

// Hit is a document that was found, and why.
type Hit struct {
	// Document is its place in the slice that New was given; ID its name.
	Document int
	ID       string
	// Score is greater than 0; it compares with others of the same Result only. All that
	// follows is in the same unit: Score is (sum of Terms + Related + Origin + Beside), times
	// 1.6 if Named, times 1.5 if Speaker, times 1.2 if Time, times 1 - Asks/16 (in whole
	// hundredths), times 0.85 + 0.15 x Confidence, halved if Suspect, each step
	// rounded down.
	Score int64
	// Terms are the words of the question that it holds, those that brought most first.
	Terms []TermWeight
	// Related is what the best document that it is related to lent, and RelatedID that one.
	Related   int64
	RelatedID string
	// Origin is what the best other document of the same origin lent, and OriginID that one.
	Origin   int64
	OriginID string
	// Beside is what words brought that the document lacks and those have that were made
	// just after it, just before it and once more before, of the same origin; BesideID is
	// the one of the three that lent most.
	Beside   int64
	BesideID string
	// Named are the paths, symbols, tags and ids of it that the question names, as
	// "path packer/score.go".
	Named []string
	// Speaker is the term of the question that the document begins with as a label, as
	// "nora" of "Nora: I went ..."; "" for none.
	Speaker string
	// Time tells that the question asks for a time, and that the document tells one.
	Time bool
	// Asks is how many eighths of the document's text are questions.
	Asks int
	// Confidence and Suspect are the Document's.
	Confidence int
	Suspect    bool
}

// TermWeight is what one word brought.
type TermWeight struct {
	// Term is the stem of a word, or an identifier as a whole.
	Term   string
	Weight int64
	// Near is the word that stands for it in the document; "" for Term itself.
	Near string
	// Feedback tells that the word is not the question's own but one of the best
	// documents'.
	Feedback bool
}
