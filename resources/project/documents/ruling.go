package documents

import "slices"

// Planning are the names of those frameworks that plan what is to be done, in the order of the
// table: all but the earlier versions of iDumb, which are migrated.
func Planning(found []Framework) (names []string) {
	for _, f := range found {
		if f.Name != "idumb" {
			names = append(names, f.Name)
		}
	}
	return names
}

// Ruling is the framework whose documents hold, of those that are there: the only one, or the one
// that somebody named as primary. "" where there is none, or several and none of them is named: then
// open is true, and no document of any holds.
func Ruling(found []Framework, primary string) (rules string, open bool) {
	names := Planning(found)
	switch {
	case slices.Contains(names, primary):
		return primary, false
	case len(names) == 1:
		return names[0], false
	}
	return "", len(names) > 1
}
