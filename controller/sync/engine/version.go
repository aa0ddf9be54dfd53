package engine

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Protocol is the protocol version of this build.
const Protocol = 1

// Version is the protocol version of a repository's items. The engine stores it
// under a separate key. A missing version means the first protocol.
type Version struct {
	Protocol  int `json:"protocol"`
	MinReader int `json:"minReader"` // minimum protocol version of a reader
}

// CheckVersion returns an error if value is not a version or if a later iDumb
// wrote items that this build would misinterpret.
func CheckVersion(value []byte) error {
	v := Version{MinReader: Protocol}
	switch {
	case json.Unmarshal(value, &v) != nil:
		return errors.New("what stands there is no version")
	case v.MinReader > Protocol:
		return fmt.Errorf("it needs a reader of protocol %d, and this is one of protocol %d", v.MinReader, Protocol)
	}
	return nil
}
