package command

import (
	"path"
	"slices"
	"strings"
)

// fills records files with unknown names that a command writes to a folder.
func (m *interpreter) fills(to field, c *invocation) {
	m.leaves(to.text, c.part())
	m.file(File{Word: to.word(), Into: []string{"unpacked"}}, c)
	if isKnown(to.text) {
		m.filled = append(m.filled, m.absolute(to.text))
	}
	if m.isAt(to.text, inRepo, gitFolder, inHome) { // the folder may contain governed files
		m.file(File{Word: to.word(), Tree: true, Unsure: true}, c)
	}
}

// fillsUnseen records the files that an archive with unknown content is unpacked to. At the
// repository root, an existing archive may contain plans and governed files.
func (m *interpreter) fillsUnseen(to field, c *invocation) {
	m.fills(to, c)
	isArchive := func(f field) bool {
		return f.text != to.text && path.Ext(f.text) != "" && isKnown(f.text) && m.opts.Exists != nil && m.opts.Exists(m.absolute(f.text))
	}
	m.reportIf(m.isAt(to.text, theRepo) && slices.ContainsFunc(c.args, isArchive), "unknown-files", c.part(), "the archive names them")
}

// fillsTree records files that a command copies from another folder. They may include
// governed files at any depth.
func (m *interpreter) fillsTree(to field, c *invocation) {
	m.fills(to, c)
	m.file(File{Word: to.word(), Tree: true, Unsure: true}, c)
}

// mayHold reports whether the line itself writes files that match a pattern. The existing
// files then do not determine its matches.
func (m *interpreter) mayHold(f field) bool {
	pattern := m.absolute(f.word().Pattern)
	if slices.ContainsFunc(m.filled, func(folder string) bool { return isWithin(folder, pattern) }) {
		return true
	}
	for name := range m.files {
		if matches, err := path.Match(pattern, name); matches || err != nil {
			return true
		}
	}
	return false
}

// unpacks checks the files that unpacking programs write.
func (m *interpreter) unpacks(c *invocation) {
	switch c.name {
	case "tar", "bsdtar", "gtar":
		m.untar(c)
	case "jar":
		if c.optionsTaking(listOf("tar")).has("-x --extract") {
			m.untar(c)
		}
	case "unzip":
		if o := c.optionsTaking("-d -P"); !o.has("-l -t -p -Z -v") {
			members := o.operands[min(1, len(o.operands)):]
			if at := slices.IndexFunc(members, func(f field) bool { return f.text == "-x" }); at >= 0 {
				members = members[:at]
			}
			if o.has("-j -x") {
				members = nil
			}
			m.unpacked(lastOf(o.files("-d")), members, c)
		}
	case "7z", "7za", "7zz", "7zr":
		to := field{text: "."}
		for _, f := range c.args {
			if rest, found := strings.CutPrefix(f.text, "-o"); found {
				to = field{text: rest, glob: f.glob}
			}
		}
		if len(c.args) > 0 && hasWord("x e", c.args[0].text) && !literally(c.args, "-so") {
			m.fillsUnseen(to, c)
		}
	case "cpio":
		if o := c.optionsTaking("-D -E -F -H -I -O -R --directory --file --format --pattern-file"); o.has("-i --extract") && !o.has("-t --list --to-stdout") {
			if to := lastOf(o.files("-D --directory")); c.stdin == archive {
				m.fillsTree(to, c)
			} else {
				m.fillsUnseen(to, c)
			}
		} else if o.has("-p --pass-through") {
			m.fillsTree(lastOf(o.operands), c)
		}
	case "gunzip", "bunzip2", "unxz", "unlzma", "unzstd", "uncompress", "gzip", "bzip2", "xz", "lzma", "zstd":
		o := c.optionsTaking("-S --suffix -T --threads -o")
		if !strings.HasPrefix(c.name, "un") && !strings.Contains(c.name, "unzip") && !o.has("-d --decompress --uncompress") || o.has("-c -l -t --stdout --to-stdout --list --test") {
			return
		}
		for _, f := range o.operands {
			f.text = strings.TrimSuffix(f.text, path.Ext(f.text))
			m.file(File{Word: f.word(), Tree: o.has("-r --recursive")}, c)
		}
	}
}

// lastOf returns the last of some folders, or the working directory.
func lastOf(folders []field) field {
	if len(folders) == 0 {
		return field{text: "."}
	}
	return folders[len(folders)-1]
}

// untar checks the files that tar writes: the archive, or the unpacked files.
func (m *interpreter) untar(c *invocation) {
	o := c.optionsTaking(listOf("tar"))
	archives := o.files("-f --file")
	switch {
	case o.has("-x --extract --get"):
		if o.has("-O --to-stdout --to-command") {
			return
		}
		to, renames := lastOf(o.files("-C --directory --one-top-level")), o.values("--transform --xform -s")
		for _, script := range renames {
			if len(script) < 3 {
				continue
			}
			script = strings.TrimPrefix(script, "s")
			with, _, _ := sedReplaces(script[1:], script[0])
			if folder, _ := path.Split(with); folder != "" {
				m.fills(field{text: path.Join(to.text, folder)}, c)
			}
		}
		packed, members := c.stdin, o.operands
		if len(archives) > 0 && archives[0].text != "-" {
			packed = m.files[m.absolute(archives[0].text)]
		}
		renamed := len(renames) > 0 || o.has("--strip-components --strip -T --files-from --exclude -X")
		switch {
		case packed == archive && m.archivedByGit && !renamed:
			// These files are unpacked in the work tree that git packed.
			for _, f := range m.archived {
				f.text = path.Join(to.text, f.text)
				m.file(File{Word: f.word(), Tree: true}, c)
				m.discards(f, false, true, c)
			}
		case packed == archive && (len(members) == 0 || renamed):
			m.unpackedHere(to, renamed, c)
		case renamed:
			m.unpacked(to, nil, c)
		default:
			m.unpacked(to, members, c)
		}
	case o.has("-c --create -r --append -u --update") && len(archives) > 0 && archives[len(archives)-1].text != "-":
		file := archives[len(archives)-1]
		m.keepsArchive(o)
		m.overwrites(file.text, archive, c.part())
		m.leaves(file.text, c.part())
		m.file(File{Word: file.word()}, c)
	}
}

// keepsArchive records the files that tar packs.
func (m *interpreter) keepsArchive(o *parsedOptions) {
	m.archived, m.archivedByGit = nil, false
	for _, f := range o.operands {
		if f.glob || !isKnown(f.text) {
			f = field{text: "."}
		}
		f.text = path.Clean(strings.TrimLeft(f.text, "/"))
		m.archived = append(m.archived, f)
	}
	if len(m.archived) == 0 || o.has("-T --files-from --transform --xform") {
		m.archived = []field{{text: "."}}
	}
}

// unpackedHere records the files from an archive that the line itself created. After
// renaming, the names are unknown.
func (m *interpreter) unpackedHere(to field, renamed bool, c *invocation) {
	for _, f := range m.archived {
		if renamed || f.text == "." || strings.HasPrefix(f.text, "..") {
			m.fillsTree(to, c)
			return
		}
		m.unpacked(to, []field{f}, c)
	}
}

// unpacked records files unpacked to a folder: the given members, or files with unknown
// names.
func (m *interpreter) unpacked(to field, members []field, c *invocation) {
	if len(members) == 0 {
		m.fillsUnseen(to, c)
	}
	for _, f := range members {
		if at := strings.IndexAny(f.text, "*?["); at >= 0 || !isKnown(f.text) { // expanded by the archiver
			folder, _ := path.Split(f.text[:max(at, 0)])
			m.fills(field{text: path.Join(to.text, folder)}, c)
			continue
		}
		m.leaves(to.text, c.part())
		m.file(File{Word: field{text: path.Join(to.text, f.text), glob: to.glob}.word(), Tree: true}, c)
	}
}
