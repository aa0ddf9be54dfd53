package resources

import (
	"slices"
	"strconv"
	"strings"
)

// MinVersion is the lowest version of idumb that understands a repository's files, as the
// text of its config.json says; "" where it says none. Of a config that this build cannot
// read otherwise it can still be read.
func MinVersion(config []byte) string { return textAt(config, "spec.minVersion") }

// OlderThan reports whether a build of that version is older than the lowest one that is
// wanted. A build that has no version of its own, made in a checkout, is not.
func OlderThan(version, wanted string) bool {
	have, want := versionNumbers(version), versionNumbers(wanted)
	return have != nil && want != nil && !slices.Equal(have, []int{0, 0, 0}) && slices.Compare(have, want) < 0
}

// versionNumbers reads "1.4", "v1.4.0" or "1.4.0-rc.1" as three numbers; nil if it is none.
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
