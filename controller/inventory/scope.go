package inventory

import "time"

// Scope says what an answer is about: as of when, of how many files, and what was left out.
type Scope struct {
	Level   time.Time      `json:"level"` // when the tree was looked at
	Files   int            `json:"files"`
	Code    int            `json:"code"`              // of them: in languages that are scanned
	Partial map[string]int `json:"partial,omitempty"` // of those: not read, or not wholly, by why
	Out     map[string]int `json:"out,omitempty"`     // files that are not looked at, by why; Files does not count them
}

// scope is that of what is known now, for who holds mu.
func (i *Inventory) scope() Scope {
	s := Scope{Level: i.level, Files: len(i.files), Out: i.out}
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
