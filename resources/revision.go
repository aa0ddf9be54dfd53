package resources

import (
	"crypto/sha256"
	"encoding/hex"
)

// Revision returns the version of an object's file: the first 16 bytes of its SHA-256 in
// hex. The same content has the same revision on every machine.
func Revision(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:16])
}
