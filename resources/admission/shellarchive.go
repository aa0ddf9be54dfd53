package admission

import (
	"strings"

	"github.com/idumb-dev/idumb/resources/admission/shell"
)

// archive reads what archivers write: the archive, or what they unpack into a folder.
func (r *reader) archive(name string, c shell.Command) {
	if name == "unzip" {
		if !has(c.Args, "-l -t -p -Z -v") {
			r.unpacked(values(c.Args, "-d"), c)
		}
		return
	}
	mode, file := tarMode(c.Args[1:])
	switch {
	case strings.Contains(mode, "x") && !strings.Contains(mode, "O") && !has(c.Args, "--to-stdout --to-command"):
		r.unpacked(values(c.Args, "-C --directory"), c)
	case strings.ContainsAny(mode, "cru") && file.Text != "" && file.Text != "-":
		r.touch(Touch{Word: file}, c)
	}
}

// tarMode is what tar is told to do, as its letters, and the archive.
func tarMode(words []shell.Word) (letters string, file shell.Word) {
	for i, w := range words {
		switch {
		case i == 0 && !isOption(w.Text), isOption(w.Text) && !strings.HasPrefix(w.Text, "--"):
			letters += strings.TrimPrefix(w.Text, "-")
			if strings.HasSuffix(w.Text, "f") && i+1 < len(words) {
				file = words[i+1]
			}
		case w.Text == "--extract", w.Text == "--get":
			letters += "x"
		case w.Text == "--create":
			letters += "c"
		}
	}
	if named := values(words, "--file"); len(named) > 0 {
		file = named[0]
	}
	return letters, file
}

// unpacked adds the files, of whatever names, that are written into a folder: the one
// that an option names last, or that in which the command runs.
func (r *reader) unpacked(folders []shell.Word, c shell.Command) {
	t := Touch{Word: shell.Word{Text: ".", Literal: true, Pattern: "."}, Into: []string{"unpacked"}}
	if len(folders) > 0 {
		t.Word = folders[len(folders)-1]
	}
	r.touch(t, c)
}
