package resources

// CodeFile describes a source file that a task names, as of the last scan. All its texts
// are untrusted: code that displays them must sanitize them.
type CodeFile struct {
	Path        string       `json:"path"`
	Exports     []CodeExport `json:"exports,omitempty"` // the first exports
	MoreExports int          `json:"more,omitempty"`    // number of further exports
	Users       []string     `json:"users,omitempty"`   // the first files that import it, without tests
	MoreUse     int          `json:"moreUse,omitempty"` // number of further importing files
	Tests       int          `json:"tests,omitempty"`   // number of tests that import it
	Knot        int          `json:"knot,omitempty"`    // number of files in its import cycle; 0 if it is in no cycle
	Todos       []CodePlace  `json:"todos,omitempty"`
	Findings    []CodePlace  `json:"findings,omitempty"` // inconsistencies within the file or with other files
}

// CodeExport is an exported declaration of a file.
type CodeExport struct {
	Name      string `json:"name"`
	Signature string `json:"signature,omitempty"` // without the body, on one line
}

// CodePlace is a line of a file with its text or a finding.
type CodePlace struct {
	Line int    `json:"line"` // from 1
	Text string `json:"text"`
}
