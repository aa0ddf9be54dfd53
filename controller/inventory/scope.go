package inventory

import "time"

// Scope describes the basis of an answer: its time, the number of files, and
// the omissions.
type Scope struct {
	Level   time.Time      `json:"level"` // time of the last update
	Files   int            `json:"files"`
	Code    int            `json:"code"`              // files in supported languages
	Partial map[string]int `json:"partial,omitempty"` // reason -> number of source files with missing facts
	Omitted map[string]int `json:"out,omitempty"`     // reason -> number of omitted files, not included in Files
}

// scope returns the current scope. The caller must hold mu.
func (i *Inventory) scope() Scope {
	s := Scope{Level: i.updatedAt, Files: len(i.files), Omitted: i.omitted}
	for _, f := range i.files {
		if f.facts == "" {
			continue
		}
		s.Code++
		if why := f.facts.Partial(); why != "" {
			if s.Partial == nil {
				s.Partial = map[string]int{}
			}
			s.Partial[why]++
		}
	}
	return s
}
