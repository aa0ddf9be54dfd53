package memory

// FewestCues and MostCues are how many cue phrases a mem should have.
const (
	FewestCues = 3
	MostCues   = 8
)

// CueAdvice is what whoever saved a mem without them is told.
const CueAdvice = "tip: 3 to 8 cue phrases, in the words that a later task will use, are what a mem is found by"
