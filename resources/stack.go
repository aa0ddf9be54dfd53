package resources

// Stack lists the packages and technologies in the manifests of a repository, as of the
// last scan. Decisions are checked against it. Seen is false before the first scan.
type Stack struct {
	Seen  bool        `json:"seen"`
	Files []StackFile `json:"files"` // sorted by path
	// Partial means that the list of files is incomplete: unlisted packages may be in use.
	Partial bool `json:"partial,omitempty"`
}

// StackFile is one file that names packages or reveals technologies.
type StackFile struct {
	Path   string     `json:"path"` // from the repository's root
	SHA256 string     `json:"sha256"`
	Uses   []StackUse `json:"uses,omitempty"`
}

// StackUse is a package by its registry name, or a technology by its name in the code map.
type StackUse struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"` // from this file, or from a lock file
	Line    int    `json:"line"`              // from 1
}
