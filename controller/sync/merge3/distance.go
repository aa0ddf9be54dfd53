package merge3

// far is the distance to what is no object.
const far = 1 << 20

// Distance counts the fields in which two versions of a file differ, so that it can be told which of
// several versions a third one was made of.
func Distance(a, b []byte) int {
	x, err := parse(a)
	y, wrong := parse(b)
	if err != nil || wrong != nil {
		return far
	}
	return distance(x, y)
}

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
