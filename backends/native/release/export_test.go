package release

// Programs is the folder of the program of a release in a cache, for tests that put another one there.
func Programs(cache, version string) string { return programOf(cache, version).Folder }
