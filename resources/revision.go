package resources

import (
	"crypto/sha256"
	"encoding/hex"
)

// Revision names one version of an object: the first 16 bytes of the SHA-256
// of its file, in hex. The same bytes have the same revision on every machine.
func Revision(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:16])
}
