package engine

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Protocol is the version of what this build writes and reads at an engine.
const Protocol = 1

// Version stands at an engine beside a repository's items, under a key that is none of theirs. Where
// there is none they are of the first protocol.
type Version struct {
	Protocol  int `json:"protocol"`
	MinReader int `json:"minReader"` // whoever reads less than this understands nothing
}

// Understood says why nothing is to be read where a value is the version: a later iDumb wrote what this
// one would misunderstand, or it is none. nil: it is to be read.
func Understood(value []byte) error {
	v := Version{MinReader: Protocol}
	switch {
	case json.Unmarshal(value, &v) != nil:
		return errors.New("what stands there is no version")
	case v.MinReader > Protocol:
		return fmt.Errorf("it needs a reader of protocol %d, and this is one of protocol %d", v.MinReader, Protocol)
	}
	return nil
}
