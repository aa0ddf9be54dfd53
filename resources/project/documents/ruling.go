package documents

import "slices"

// Planning returns the names of the frameworks that plan work, in the order of the table.
// It omits earlier versions of iDumb, which are migrated.
func Planning(found []Framework) (names []string) {
	for _, f := range found {
		if f.Name != "idumb" {
			names = append(names, f.Name)
		}
	}
	return names
}

// FrameworkInUse returns the framework in effect: the one that is configured as primary, or the
// only one. If there are several and none of them is primary, it returns "" and true for
// open, and no framework is in effect.
func FrameworkInUse(found []Framework, primary string) (rules string, open bool) {
	names := Planning(found)
	switch {
	case slices.Contains(names, primary):
		return primary, false
	case len(names) == 1:
		return names[0], false
	}
	return "", len(names) > 1
}
