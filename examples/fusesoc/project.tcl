# Runs the script of a project without its tool: every command that Tcl does not know is noted. The unit and the top module must be in the project, and
# their files must be there. Usage: tclsh project.tcl SCRIPT, in the folder of the project.
set noted {}
proc unknown args { lappend ::noted $args }
source [lindex $argv 0]
set files [lsearch -all -inline -regexp [concat {*}$noted] {\.(v|sv|vhd)$}]
foreach file $files {
    if {![file exists $file]} { puts stderr "$file is missing"; exit 1 }
}
if {[lsearch -regexp $files {/Fp8Mac\.}] < 0} { puts stderr "the unit is not in the project: $files"; exit 1 }
if {[lsearch -regexp $noted {(set_property top|TOP_LEVEL_ENTITY)}] < 0} { puts stderr "the project has no top module"; exit 1 }
puts "commands: [llength $noted], sources: [llength $files]"
