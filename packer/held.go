package packer

import "strings"

// HeldBy returns the IDs (mems/NAME, anchors/NAME) of what stands among the insights and
// anchors of a pack; nothing for what is no pack.
func HeldBy(pack []byte) map[string]bool {
	if len(pack) == 0 {
		return nil
	}
	list, ok := statements(pack)
	if !ok {
		return nil
	}
	held := map[string]bool{}
	for _, s := range list {
		for _, element := range [...]struct{ start, kind string }{{`<mem id="`, "mems/"}, {`<anchor id="`, "anchors/"}} {
			if rest, found := strings.CutPrefix(s.text, element.start); found {
				name, _, _ := strings.Cut(rest, `"`)
				held[element.kind+name] = true
			}
		}
	}
	return held
}
