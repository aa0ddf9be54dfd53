package resources

// olderSettings are fields that config.json had in iDumb v1 and v2, and that no object has.
var olderSettings = [...]string{"governance", "detection", "installedAt", "automation", "enforcement"}

// older looks at a text that is no object: a config.json of iDumb v1 or v2 stands where
// ours does, and says more to a person under that name than its first unknown field.
func older(kind *Kind, data []byte) *Problem {
	if kind.Plural != Configs {
		return nil
	}
	if at, ok := find(data, "spec"); !ok || at >= 0 {
		return nil
	}
	for _, field := range olderSettings {
		if at, _ := find(data, field); at >= 0 {
			return &Problem{Reason: "these are settings of iDumb v1 or v2; the defaults count", Remedy: `run "idumb migrate", which takes over what they say and keeps the file as config.json.bak`}
		}
	}
	return nil
}
