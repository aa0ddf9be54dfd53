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
		return errors.New("the version item is invalid")
	case v.MinReader > Protocol:
		return fmt.Errorf("it requires protocol %d; this build supports protocol %d", v.MinReader, Protocol)
	}
	return nil
}
