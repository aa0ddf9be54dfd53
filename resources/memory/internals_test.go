package memory

// What tests of this package look at, besides what everybody may.
const LogBits = logBits

var (
	ChainOf        = chainOf
	Holders        = holders
	DaysUntilBelow = daysUntilBelow
)
