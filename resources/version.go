package resources

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// MinVersion returns spec.minVersion from the text of config.json, or "" if it is unset. It
// also works for a config that this build cannot decode.
func MinVersion(config []byte) string { return textAt(config, "spec.minVersion") }

// OlderThan reports whether version is lower than wanted. It returns false if
// one of them is not a version, and for a development build (0.0.0).
func OlderThan(version, wanted string) bool {
	have, want := versionNumbers(version), versionNumbers(wanted)
	return have != nil && want != nil && !slices.Equal(have, []int{0, 0, 0}) && slices.Compare(have, want) < 0
}

// versionNumbers parses "1.4", "v1.4.0" or "1.4.0-rc.1" into three numbers. It returns nil
// for other texts.
func versionNumbers(version string) []int {
	version, _, _ = strings.Cut(strings.TrimPrefix(version, "v"), "-")
	version, _, _ = strings.Cut(version, "+")
	parts := strings.Split(version, ".")
	if len(parts) < 2 || len(parts) > 3 {
		return nil
	}
	numbers := make([]int, 3)
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 31)
		if err != nil {
			return nil
		}
		numbers[i] = int(n)
	}
	return numbers
}

// Revision returns the version of an object's file: the first 16 bytes of its SHA-256 in
// hex. The same content has the same revision on every machine.
func Revision(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:16])
}
