package resources

// CodeFile is what the map last saw of a file of code that a task names. All of its texts are a
// stranger's: whoever shows them makes them safe.
type CodeFile struct {
	Path     string       `json:"path"`
	Exports  []CodeExport `json:"exports,omitempty"` // the first of them
	More     int          `json:"more,omitempty"`    // how many exports beside
	Users    []string     `json:"users,omitempty"`   // the first files that import it, tests apart
	MoreUse  int          `json:"moreUse,omitempty"` // how many users beside
	Tests    int          `json:"tests,omitempty"`   // that import it
	Knot     int          `json:"knot,omitempty"`    // how many files import one another, it among them
	Todos    []CodePlace  `json:"todos,omitempty"`
	Findings []CodePlace  `json:"findings,omitempty"` // where it contradicts itself or others
}

// CodeExport is what a file gives to others.
type CodeExport struct {
	Name      string `json:"name"`
	Signature string `json:"signature,omitempty"` // without the body, on one line
}

// CodePlace is a line of a file, and what stands there or is wrong with it.
type CodePlace struct {
	Line int    `json:"line"` // from 1
	Text string `json:"text"`
}
