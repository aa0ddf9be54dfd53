package exchange

// maxDistance is the distance to a text that is not an object.
const maxDistance = 1 << 20

// Distance returns the number of fields in which two versions of a file differ.
// It serves to find the version on which a third one is based.
func Distance(a, b []byte) int {
	x, err := parse(a)
	y, wrong := parse(b)
	if err != nil || wrong != nil {
		return maxDistance
	}
	return distance(x, y)
}

// distance returns the number of fields in which two values differ. Values
// other than objects count as one field.
func distance(a, b *node) int {
	if a.kind() != '{' || b.kind() != '{' {
		if equal(a, b) {
			return 0
		}
		return 1
	}
	n := 0
	for _, m := range a.members {
		n += distance(m.value, b.member(m.name))
	}
	for _, m := range b.members {
		if a.member(m.name) == nil {
			n++
		}
	}
	return n
}
