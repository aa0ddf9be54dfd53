package project

// Knot is files that all lead to one another by imports: none of them can be understood, tested
// or moved without the others.
type Knot struct {
	Files []string // sorted
	Cycle []string // a shortest one, from its smallest file; that imports the first again
	Cut   Edge     // the import whose removal frees most files
	Freed int      // how many files then stand in no knot any more
}

func (g *Graph) Knots() []Knot { return nil }
