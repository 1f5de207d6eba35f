// Ends a simulation: thrown by $stop, $fatal, $error, a failed assertion and $finish anywhere in the model. Models that are
// compiled as one share it.
#ifndef BINADE_STOP
#define BINADE_STOP

struct Stop {
    const char* what;
    const char* file;
    int line;
};

void vl_stop(const char* file, int line, const char*) VL_MT_UNSAFE {
    throw Stop{"$stop, $fatal, $error or a failed assertion", file, line};
}

void vl_finish(const char* file, int line, const char*) VL_MT_UNSAFE { throw Stop{"$finish", file, line}; }

void vl_fatal(const char* file, int line, const char*, const char* why) VL_MT_UNSAFE { throw Stop{why, file, line}; }

#endif
