package resources

// Stack is what the manifests of a repository named when they were last looked at: the packages and
// technologies that a decision is held against. A Stack that was never looked for has no Seen.
type Stack struct {
	Seen  bool        `json:"seen"`
	Files []StackFile `json:"files"` // sorted by path
	// Partial: there are more files than are listed, so that what is not here may be there.
	Partial bool `json:"partial,omitempty"`
}

// StackFile is one file that names packages or shows technologies.
type StackFile struct {
	Path   string     `json:"path"` // from the repository's root
	SHA256 string     `json:"sha256"`
	Uses   []StackUse `json:"uses,omitempty"`
}

// StackUse is a package or a technology, by the name that its registry or the map knows it under.
type StackUse struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"` // as the file states it, or a lock file does
	Line    int    `json:"line"`              // from 1
}
